#!/usr/bin/env bash
# What infra/demo and load-tests/run share: finding a JDK 25, and building what is out of date. Sourced with $root set to
# the top of the checkout, $modules to what is needed, and a function `fail` that ends the script with a line.

is_jdk25() {
  [[ -x $1/bin/javac && -f $1/release ]] && grep -Eq '^JAVA_VERSION="25[."+-]' "$1/release"
}

find_jdk() {
  local candidate java
  if [[ -n ${JAVA_HOME:-} ]] && is_jdk25 "$JAVA_HOME"; then
    echo "$JAVA_HOME"
    return
  fi
  if java=$(command -v java); then
    candidate=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
    if [[ -n $candidate ]] && is_jdk25 "$candidate"; then
      echo "$candidate"
      return
    fi
  fi
  for candidate in /usr/lib/jvm/* /usr/java/* /opt/* /opt/*/* ~/.sdkman/candidates/java/* ~/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home ~/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home; do
    if is_jdk25 "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

jar_of() {
  echo "$root/$1/target/$(basename "$1")-0.1.0-SNAPSHOT.jar"
}

# A file counts when it is newer than the jar and than the last build, which may leave a jar alone. The jar's change time
# (c) is when it was written; its modification time says what the build tool wants it to say.
is_stale() {
  local module jar since
  local built=$root/infra/local-stack/target/demo.built
  [[ -f $root/infra/local-stack/target/launcher.classpath ]] || return 0
  for module in "${modules[@]}"; do
    jar=$(jar_of "$module")
    [[ -f $jar ]] || return 0
    since=(-newermc "$jar")
    [[ -f $built ]] && since+=(-newer "$built")
    [[ -z $(find "$root/$module/src/main" "$root/$module/pom.xml" "$root/pom.xml" "$root/infra/postgres" \
      "${since[@]}" -print 2>/dev/null | head -n 1) ]] || return 0
  done
  return 1
}

build() {
  local mvn=${MAVEN:-mvn} begin=$SECONDS
  command -v "$mvn" >/dev/null || fail "Maven is needed to build: install it (3.8 or newer), or name it with MAVEN=/path/to/mvn"
  # Maven's own JVM may be an older one; the build finds the JDK 25 by JAVA25_HOME
  export JAVA25_HOME=$jdk
  command -v java >/dev/null || [[ -n ${JAVA_HOME:-} ]] || export JAVA_HOME=$jdk
  echo "Building (mvn package, without tests) …"
  mkdir -p "$root/infra/.demo"
  touch "$root/infra/.demo/building"
  "$mvn" -B -q -ntp -T 1C -f "$root/pom.xml" -pl "$(IFS=, && echo "${modules[*]}")" \
    -Dmaven.test.skip=true -Dspotless.check.skip=true package ||
    fail "the build failed; see above"
  mv "$root/infra/.demo/building" "$root/infra/local-stack/target/demo.built"
  printf '  %-15s %-8s %5d s\n' build done $((SECONDS - begin))
}
