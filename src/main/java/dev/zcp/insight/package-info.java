/// What a transfer did and where its time went: stages with their histograms, and the events that a
/// report is written from.
package dev.zcp.insight;
