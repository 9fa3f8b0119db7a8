/// The rules of the house, each with a violation planted to prove that it is caught.
package dev.zcp.house;
