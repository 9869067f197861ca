/**
 * A plugin of swagger-ui: parts of its own that the page has already, has no use for, or has with better semantics.
 *
 * @param {object} system - swagger-ui's.
 * @returns {object} The plugin.
 */
export function parts({ React: { createElement, useEffect, useRef, useState } }) {
  const nothing = () => null;
  return {
    rootInjects: { syntaxHighlighting: { styles: { page: CODE } } },
    components: {
      // The page has both around it.
      InfoContainer: nothing,
      Models: nothing,
      // It offers to log in, and there is nothing to log in to.
      AuthorizeBtnContainer: nothing,
      // Trying out is always on.
      TryItOutButton: nothing,
      CopyToClipboardBtn: nothing,
      // A link inside a button can't be reached by keyboard, and says nothing that the button doesn't.
      DeepLink: ({ text }) => createElement('span', {}, text),
      OperationTag: ({ tag, children }) =>
        createElement('section', {}, createElement('h2', { id: `operations-tag-${tag}` }, tag), children),
      TextArea: (props) => createElement('textarea', { 'aria-label': 'Body', ...props }),
    },
    wrapComponents: {
      OperationSummary: (Summary) => (props) =>
        createElement('div', { role: 'heading', 'aria-level': 3 }, createElement(Summary, props)),
      JsonSchemaForm: (Form) => (props) =>
        createElement(
          'label',
          {},
          createElement('span', { className: 'unseen' }, props.description),
          createElement(Form, props),
        ),
      HighlightCode: (Code) =>
        function ReachableCode(props) {
          const root = useRef();
          // What scrolls must be in reach of the keyboard (WCAG 2.1.1), and not every browser sees to that.
          useEffect(() => {
            const code = root.current.querySelector('pre');
            if (code?.scrollHeight > code?.clientHeight) code.tabIndex = 0;
          });
          return createElement('div', { ref: root }, createElement(Code, props));
        },
      responses: (Responses) =>
        function ResponsesInTable(props) {
          const root = useRef();
          // It would be a landmark, of the same name in each operation, and no table any more.
          useEffect(() => root.current.querySelector('table[role]')?.removeAttribute('role'));
          return createElement('div', { ref: root }, createElement(Responses, props));
        },
      response: (Response) =>
        function FoldedResponse(props) {
          const [open, setOpen] = useState(false);
          if (props.code < '400') return createElement(Response, props);
          const button = createElement(
            'button',
            { type: 'button', className: 'fold-control', 'aria-expanded': open, onClick: () => setOpen(!open) },
            props.response.get('description').replaceAll('`', ''),
          );
          return [
            createElement(
              'tr',
              { key: 'fold', className: `response fold ${props.className}` },
              createElement('td', { className: 'response-col_status' }, props.code),
              createElement('td', { className: 'response-col_description' }, button),
            ),
            open && createElement(Response, { key: 'open', ...props, className: `unfolded ${props.className}` }),
          ];
        },
    },
  };
}

/** The colours of code: variables of the style, for they differ between light and dark. */
const CODE = {
  hljs: { color: 'var(--ink)', background: 'var(--code)', overflowX: 'auto' },
  'hljs-attr': { color: 'var(--code-name)' },
  'hljs-string': { color: 'var(--code-string)' },
  'hljs-number': { color: 'var(--code-number)' },
  'hljs-literal': { color: 'var(--code-number)' },
};
