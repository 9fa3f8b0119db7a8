/// What is to be measured: experiments, cells, the articles' tables.
package dev.zcp.bench.plan;
