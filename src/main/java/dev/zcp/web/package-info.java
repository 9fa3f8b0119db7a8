/// Files from and to any machine that has a browser or curl, by HTTPS.
package dev.zcp.web;
