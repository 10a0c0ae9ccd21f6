/** The launcher behind {@code infra/demo}: the whole pipeline as processes of one machine, started, followed and stopped. */
@NullMarked
package dev.signups.localstack.demo;

import org.jspecify.annotations.NullMarked;
