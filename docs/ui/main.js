import { adapt } from './adapt.js';
import { offering } from './offer.js';
import { parts } from './parts.js';
import { fetchPatiently } from './retry.js';
import { takeOver } from './take-over.js';
import { validation } from './validation.js';

// The page may stand under any prefix, with or without a slash at its end.
const root = new URL(location.pathname.endsWith('/') ? '../..' : '..', location.href);
for (const name of document.querySelectorAll('[data-path]')) {
  const link = Object.assign(document.createElement('a'), { href: new URL(name.dataset.path, root) });
  link.append(...name.childNodes);
  name.replaceWith(link);
}

const interactive = document.getElementById('interactive');
const ui = SwaggerUIBundle({
  domNode: interactive,
  spec: adapt(JSON.parse(document.getElementById('document').textContent), root),
  plugins: [parts, validation, offering],
  requestInterceptor: (request) => Object.assign(request, { userFetch: fetchPatiently }),
  syntaxHighlight: { theme: 'page' },
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  queryConfigEnabled: false,
});
takeOver(document.getElementById('plain'), interactive, ui.layoutActions);

document.addEventListener('keydown', ({ key, ctrlKey, metaKey, target }) => {
  if (key === 'Enter' && (ctrlKey || metaKey)) target.closest('.opblock')?.querySelector('.execute')?.click();
});
