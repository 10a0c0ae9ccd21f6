/**
 * The article's stages 1 and 2, kept so that its experiments can be rerun beside the pipeline. They lose and repeat e-mails
 * as they did there: nothing of this package is loaded unless {@code signup.welcome-email} is {@code inline} or
 * {@code jobs}, and nothing else depends on it.
 */
@NullMarked
package dev.signups.service.stage;

import org.jspecify.annotations.NullMarked;
