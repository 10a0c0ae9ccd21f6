@NullMarked
package dev.signups.service;

import org.jspecify.annotations.NullMarked;
