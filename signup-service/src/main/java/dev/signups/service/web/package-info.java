/** What the outside sees besides the API: pages, the operator's login, problem documents. */
@NullMarked
package dev.signups.service.web;

import org.jspecify.annotations.NullMarked;
