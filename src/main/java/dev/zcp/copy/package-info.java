/// `zcp copy`: files and trees of this machine, to this machine.
package dev.zcp.copy;
