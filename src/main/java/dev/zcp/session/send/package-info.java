/// The sender: what it finds, what it offers, and how it goes about its session.
package dev.zcp.session.send;
