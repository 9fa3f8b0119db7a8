/// What a person or a program reads of a transfer: text, progress and JSON, all written from the
/// events of [dev.zcp.insight].
package dev.zcp.report;
