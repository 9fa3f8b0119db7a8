/// Objects of JSON as tables of fields, each of which is written, read and described in one place.
package dev.zcp.json;
