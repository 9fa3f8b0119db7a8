/// What a person or a program gets of a benchmark: a table, JSON, CSV, a page, and what changed
/// since an older run.
package dev.zcp.bench.report;
