/* What Tree.java needs of C: a call of any function of the C library, and addresses. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <jni.h>

JNIEXPORT jlong JNICALL Java_Tree_call(JNIEnv *env, jclass type, jlong function, jlong a, jlong b,
                                       jlong c, jlong d, jlong e, jlong f) {
  (void)env, (void)type;
  long result = ((long (*)(long, long, long, long, long, long))function)(a, b, c, d, e, f);
  /* Functions that return an int leave the upper half of the register undefined. */
  return (int)result == -1 ? -errno : result;
}

JNIEXPORT jlong JNICALL Java_Tree_find(JNIEnv *env, jclass type, jstring name) {
  (void)type;
  const char *text = (*env)->GetStringUTFChars(env, name, NULL);
  void *found = dlsym(RTLD_DEFAULT, text);
  (*env)->ReleaseStringUTFChars(env, name, text);
  return (jlong)found;
}

JNIEXPORT jlong JNICALL Java_Tree_address(JNIEnv *env, jclass type, jobject buffer) {
  (void)type;
  return (jlong)(*env)->GetDirectBufferAddress(env, buffer);
}
