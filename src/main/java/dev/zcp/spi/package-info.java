/// All that the author of a strategy reads: [dev.zcp.spi.TransferStrategy] and the values it speaks
/// in.
package dev.zcp.spi;
