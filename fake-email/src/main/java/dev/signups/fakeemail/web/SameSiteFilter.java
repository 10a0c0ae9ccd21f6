package dev.signups.fakeemail.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * Refuses what another site's page makes a browser send, since there is no login to stop it. Browsers say in
 * {@code Sec-Fetch-Site} where a request comes from; other clients do not send the header.
 */
@Component
class SameSiteFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OWN = Set.of("same-origin", "none");
    private static final String PAGE_POLICY =
            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";
    private static final byte[] PROBLEM = """
            {"type":"urn:fake-email:problem:cross-site","title":"Requests from other sites are refused","status":403}""".getBytes(StandardCharsets.UTF_8);

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !OWN.contains(site) && !HARMLESS.contains(request.getMethod())) {
            response.setStatus(403);
            response.setContentType("application/problem+json");
            response.getOutputStream().write(PROBLEM);
            return;
        }
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (!request.getRequestURI().startsWith("/api/")) {
            response.setHeader("Content-Security-Policy", PAGE_POLICY);
            response.setHeader("Referrer-Policy", "no-referrer");
        }
        chain.doFilter(request, response);
    }
}
