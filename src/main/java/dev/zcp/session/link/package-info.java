/// What a sender and a receiver have alike: how they find and prove one another, and frames, blocks
/// and signs of life over the connections between them.
package dev.zcp.session.link;
