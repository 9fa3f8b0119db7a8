/*
 * What dev.zcp.linux.Native needs of C: to find a function, to call it, and to learn where a direct
 * buffer is and which descriptor a channel has. Everything else about system calls is in Java, but
 * for the signal handler, which has to be C.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT, syscall */
#include <dlfcn.h>
#include <errno.h>
#include <jni.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef long (*function)(long, long, long, long, long, long);

/*
 * The C library's own functions of these names are points at which a thread may be cancelled, and
 * say so before and after each call. No thread is cancelled here.
 */
static long call_openat(long directory, long path, long flags, long mode, long e, long f) {
  (void)e, (void)f;
  return syscall(SYS_openat, directory, path, flags, mode);
}

static long call_close(long descriptor, long b, long c, long d, long e, long f) {
  (void)b, (void)c, (void)d, (void)e, (void)f;
  return syscall(SYS_close, descriptor);
}

static long call_pread(long descriptor, long buffer, long count, long offset, long e, long f) {
  (void)e, (void)f;
  return syscall(SYS_pread64, descriptor, buffer, count, offset);
}

static long call_pwrite(long descriptor, long buffer, long count, long offset, long e, long f) {
  (void)e, (void)f;
  return syscall(SYS_pwrite64, descriptor, buffer, count, offset);
}

static const struct {
  const char *name;
  function call;
} calls[] = {{"openat", call_openat},
             {"close", call_close},
             {"pread", call_pread},
             {"pwrite", call_pwrite}};

static function find(const char *name) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (strcmp(calls[i].name, name) == 0) {
      return calls[i].call;
    }
  }
  return (function)(intptr_t)dlsym(RTLD_DEFAULT, name);
}

/* The address of the function of this name, or 0. */
JNIEXPORT jlong JNICALL Java_dev_zcp_linux_Native_findByJni(JNIEnv *env, jclass type,
                                                            jstring name) {
  (void)type;
  const char *text = (*env)->GetStringUTFChars(env, name, NULL);
  if (text == NULL) {
    return 0; /* An OutOfMemoryError is pending. */
  }
  function found = find(text);
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

/*
 * The descriptor of a FileChannelImpl or a SocketChannelImpl, which both keep a FileDescriptor in a
 * field `fd`, as that keeps the number in one. -1 if the channel is of another kind.
 */
JNIEXPORT jint JNICALL Java_dev_zcp_linux_Native_descriptorByJni(JNIEnv *env, jclass type,
                                                                 jobject channel) {
  (void)type;
  jclass its_type = (*env)->GetObjectClass(env, channel);
  jfieldID field = (*env)->GetFieldID(env, its_type, "fd", "Ljava/io/FileDescriptor;");
  jobject descriptor = field == NULL ? NULL : (*env)->GetObjectField(env, channel, field);
  if (descriptor == NULL) {
    (*env)->ExceptionClear(env);
    return -1;
  }
  jfieldID number = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, descriptor), "fd", "I");
  if (number == NULL) {
    (*env)->ExceptionClear(env);
    return -1;
  }
  return (*env)->GetIntField(env, descriptor, number);
}

static sem_t caught;
static int has_semaphore;
static volatile sig_atomic_t caught_number;
static sigset_t handled;

static void on_signal(int number) {
  int before = errno;
  caught_number = number;
  sem_post(&caught);
  errno = before;
}

/*
 * Catches those of `count` signals whose action is the default one: what is ignored stays ignored,
 * as nohup(1) wants it, and a handler of the JVM stays.
 *
 * Returns how many there are. If any, releaseByJni must be called before this is called again.
 */
JNIEXPORT jint JNICALL Java_dev_zcp_linux_Signals_catchByJni(JNIEnv *env, jclass type,
                                                             jintArray numbers) {
  (void)type;
  jint wanted[8];
  jsize count = (*env)->GetArrayLength(env, numbers);
  jint caught_count = 0;
  has_semaphore = has_semaphore || sem_init(&caught, 0, 0) == 0;
  if (count > 8 || !has_semaphore) {
    return 0;
  }
  (*env)->GetIntArrayRegion(env, numbers, 0, count, wanted);
  sigemptyset(&handled);
  for (jsize i = 0; i < count; i++) {
    struct sigaction action;
    if (sigaction(wanted[i], NULL, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0 ||
        action.sa_handler != SIG_DFL) {
      continue;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    if (sigaction(wanted[i], &action, NULL) == 0) {
      sigaddset(&handled, wanted[i]);
      caught_count++;
    }
  }
  return caught_count;
}

/*
 * Gives what is caught its default action again, and ends the wait: with the number 0, unless a
 * signal came before.
 */
JNIEXPORT void JNICALL Java_dev_zcp_linux_Signals_releaseByJni(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  for (int number = 1; number < NSIG; number++) {
    if (sigismember(&handled, number) == 1) {
      signal(number, SIG_DFL);
    }
  }
  sem_post(&caught);
}

/* Waits for a signal that is caught, and returns its number. */
JNIEXPORT jint JNICALL Java_dev_zcp_linux_Signals_awaitByJni(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  while (sem_wait(&caught) != 0) {
    /* Interrupted: the handler ran on this thread. */
  }
  return caught_number;
}
