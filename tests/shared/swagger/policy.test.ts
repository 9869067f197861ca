import { describe, expect, it } from '@jest/globals';
import { securityHeaders } from '../../../shared/swagger/policy.js';

const html = '<style>a {}</style><script type="application/json">{}</script><script>f()</script>';

describe("the page's policy", () => {
  it('admits its scripts and styles by hash, and nothing else', () => {
    expect(securityHeaders(html)['Content-Security-Policy']).toBe(
      [
        "default-src 'none'",
        "script-src 'sha256-OQSEfhsfuQC5Xh2swPqZMlL1Axa6XAPpNvZ3ynrq/LM='",
        "style-src 'sha256-u9/M7MBTDb+4Ay4/gfkYSdx+7zBYHfpJ5rVqI0eZe8I='",
        'img-src data:',
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
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
