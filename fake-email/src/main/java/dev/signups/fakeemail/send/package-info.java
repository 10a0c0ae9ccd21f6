/** The provider's one endpoint: takes a mail, keeps its sender waiting, and answers as the faults say. */
@NullMarked
package dev.signups.fakeemail.send;

import org.jspecify.annotations.NullMarked;
