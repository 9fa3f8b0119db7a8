package dev.zcp.copy;

import dev.zcp.insight.Insight;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Partials;
import dev.zcp.tree.Preserver;
import dev.zcp.walk.Crew;
import dev.zcp.walk.OpenFolders;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;

/// What the parts of a tree copy have in common, one of each for a command.
final class Means {

  private final CopyRequest request;
  private final Insight insight;
  private final Preserver preserver;
  private final Losses losses;
  private final FileBody body;
  private final Proof proof;
  private final Durability durability;
  private final Partials partials;
  private final Rivals rivals;
  private final Failures failures;
  private final LinkedNames links;
  private final EntryCopy entries;

  /// Null where things are copied.
  private final TreeComparison comparison;

  private final Walk walk;

  Means(
      CopyRequest request,
      Insight insight,
      Preserver preserver,
      Losses losses,
      FileBody body,
      Proof proof,
      Durability durability,
      Partials partials,
      OpenFolders folders,
      Crew crew,
      Rivals rivals) {
    this.request = request;
    this.insight = insight;
    this.preserver = preserver;
    this.losses = losses;
    this.body = body;
    this.proof = proof;
    this.durability = durability;
    this.partials = partials;
    this.rivals = rivals;
    this.failures = new Failures(insight, partials);
    this.links = new LinkedNames(this);
    this.entries = new EntryCopy(this);
    this.comparison = request.assurance().compareOnly() ? new TreeComparison(this) : null;
    this.walk = new Walk(request.selection(), folders, crew, visitor(), failures);
  }

  private Visitor visitor() {
    if (comparison != null) {
      return comparison;
    }
    return request.dryRun() ? new PlanVisitor(this) : new CopyVisitor(this);
  }

  CopyRequest request() {
    return request;
  }

  Insight insight() {
    return insight;
  }

  Preserver preserver() {
    return preserver;
  }

  Losses losses() {
    return losses;
  }

  FileBody body() {
    return body;
  }

  Proof proof() {
    return proof;
  }

  Durability durability() {
    return durability;
  }

  Partials partials() {
    return partials;
  }

  Walk walk() {
    return walk;
  }

  OpenFolders folders() {
    return walk.folders();
  }

  Rivals rivals() {
    return rivals;
  }

  Failures failures() {
    return failures;
  }

  LinkedNames links() {
    return links;
  }

  /// What compares in place of copying, or null.
  TreeComparison comparison() {
    return comparison;
  }

  EntryCopy entries() {
    return entries;
  }
}
