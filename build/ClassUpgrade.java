import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;

/// Gives class files from before Java 6 a newer version and the stack maps it asks for.
///
/// picocli 4.7.7 is compiled for Java 5. A CDS archive or an AOT cache leaves such classes out
/// without a word, and the JVM reads and verifies them anew, by its old verifier, at each start: 40
/// ms.
final class ClassUpgrade {

  private final ClassFile classFile;

  /// @param classes where the classes are found that stack maps speak of
  ClassUpgrade(ClassLoader classes) {
    this.classFile =
        ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofClassLoading(classes)));
  }

  byte[] apply(byte[] bytes) {
    ClassModel model = classFile.parse(bytes);
    return model.majorVersion() >= ClassFile.JAVA_6_VERSION
        ? bytes
        : classFile.transformClass(model, ClassUpgrade::upgrade);
  }

  private static void upgrade(ClassBuilder builder, ClassElement element) {
    switch (element) {
      case ClassFileVersion _ -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
      // Code that is taken apart and put together again gets its stack maps on the way.
      case MethodModel method ->
          builder.transformMethod(
              method, MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL));
      default -> builder.with(element);
    }
  }
}
