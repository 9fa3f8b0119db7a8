/// Keys and what is proved and sealed with them. Nothing here knows a frame, a socket or a file.
package dev.zcp.secure;
