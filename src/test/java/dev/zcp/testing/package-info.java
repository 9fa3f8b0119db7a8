/// What tests share: ends of transfers, routes between them, and doubles that fail on purpose.
package dev.zcp.testing;
