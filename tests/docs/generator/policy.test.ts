import { describe, expect, it } from '@jest/globals';
import { securityHeaders } from '../../../docs/generator/policy.js';

const html = '<style>a {}</style><script type="application/json">{}</script><script>f()</script>';

describe("the page's policy", () => {
  it('admits its scripts and styles by hash, and nothing else', () => {
    // As `printf 'f()' | openssl dgst -sha256 -binary | base64` has them.
    expect(securityHeaders(html)['Content-Security-Policy']).toBe(
      [
        "default-src 'none'",
        "script-src 'sha256-GcEEE0IkDzIP5EQ6DXZaDPORqT5RTBELX8Fyzyg9yvo='",
        "style-src 'sha256-mkSHzL7faOU7/U/v8Umg+058R69+vN2A2xmE3Fz1q98='",
        'img-src data:',
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    );
  });

  it('has what scanners of header fields look for', () => {
    expect(securityHeaders(html)).toMatchObject({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': expect.stringMatching(/^accelerometer=\(\), camera=\(\), .*, xr-spatial-tracking=\(\)$/),
      'Referrer-Policy': 'no-referrer',
      'Strict-Transport-Security': 'max-age=63072000',
      'X-Frame-Options': 'DENY',
    });
  });
});
