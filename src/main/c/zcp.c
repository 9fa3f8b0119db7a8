/*
 * What dev.zcp.linux.Native needs of C: to find a function, to call it, and to learn where a direct
 * buffer is. Everything else about system calls is in Java.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <errno.h>
#include <jni.h>
#include <stdint.h>

typedef long (*function)(long, long, long, long, long, long);

/* The address of the function of this name, or 0. */
JNIEXPORT jlong JNICALL Java_dev_zcp_linux_Native_findByJni(JNIEnv *env, jclass type,
                                                            jstring name) {
  (void)type;
  const char *text = (*env)->GetStringUTFChars(env, name, NULL);
  if (text == NULL) {
    return 0; /* An OutOfMemoryError is pending. */
  }
  void *found = dlsym(RTLD_DEFAULT, text);
  (*env)->ReleaseStringUTFChars(env, name, text);
  return (jlong)(intptr_t)found;
}

/*
 * Calls a function with up to six arguments, of which it reads as many as it has. Native.java says
 * why that is the calling convention.
 *
 * is_int: the result is an int, which leaves the upper half of its register undefined.
 *
 * Returns the result, or minus errno if that is -1. errno is read here: once back in Java, the JVM
 * may have changed it.
 */
JNIEXPORT jlong JNICALL Java_dev_zcp_linux_Native_callByJni(JNIEnv *env, jclass type,
                                                            jlong address, jlong a, jlong b,
                                                            jlong c, jlong d, jlong e, jlong f,
                                                            jboolean is_int) {
  (void)env;
  (void)type;
  long result = ((function)(intptr_t)address)(a, b, c, d, e, f);
  if (is_int) {
    result = (int)result;
  }
  return result == -1 ? -errno : result;
}

/* The address of the first byte of a direct buffer, wherever its position is. */
JNIEXPORT jlong JNICALL Java_dev_zcp_linux_Native_addressByJni(JNIEnv *env, jclass type,
                                                               jobject buffer) {
  (void)type;
  return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}
