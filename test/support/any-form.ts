/** Random HTML that mixes old and new, real and made-up CSS. */

import * as fc from 'fast-check'

const color = fc.constantFrom(
  '#fff',
  '#000',
  'white',
  'oklch(0.2 0 0)',
  'rgb(250 250 250 / 40%)',
  'color-mix(in srgb,#fff,#000 5%)',
  'invented(1)',
  'transparent',
  '#808080',
  'hsl(200 80% 95%)',
)
const declaration = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('color', 'background', 'background-color', 'border', '-webkit-text-fill-color'),
      color,
    )
    .map(([name, value]) => `${name}:${value}`),
  fc.constantFrom(
    'display:none',
    'display:flex',
    'display:table-cell',
    'display:inline-block',
    'float:left',
    'position:absolute',
    'opacity:.3',
    'opacity:.02',
    'font-size:1px',
    'font-size:200%',
    'visibility:hidden',
    'visibility:visible',
    'filter:invert(1)',
    'background:linear-gradient(#fff,#000)',
    'background-image:url(x)',
    'text-transform:uppercase',
    'white-space:pre',
    'padding:8px',
    'invented:yes',
    'text-indent:-9999px',
    'all:revert',
  ),
)
const tag = fc.constantFrom(
  'div',
  'span',
  'p',
  'table',
  'tr',
  'td',
  'ul',
  'li',
  'a href="https://a.example"',
  'b',
  'h1',
  'blockquote',
  'pre',
  'center',
  'svg',
  'font color=white',
  'select',
  'details',
  'label',
  'x-y',
  'sup',
)
const rule = fc
  .tuple(
    fc.constantFrom(
      'div',
      '.a',
      'p>span',
      ':is(td)',
      'div:has(b)',
      '@media (width>1px){p',
      '@layer x{.a',
      '@supports (color:red){span',
    ),
    fc.array(declaration, { maxLength: 4 }),
  )
  .map(([head, body]) => `${head}{${body.join(';')}}${head.includes('{') ? '}' : ''}`)
const element = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium', maxDepth: 6 },
    fc.constantFrom('Words ', 'of one ', 'mail<br>', 'and&nbsp;another'),
    fc
      .tuple(tag, fc.array(declaration, { maxLength: 3 }), fc.array(tie('node'), { maxLength: 4 }))
      .map(
        ([name, style, children]) =>
          `<${name} class=a style="${style.join(';')}">${children.join('')}${'</'}${name.split(' ')[0]}>`,
      ),
  ),
})).node

export const anyHtml = fc
  .tuple(fc.array(rule, { maxLength: 4 }), fc.array(element, { maxLength: 6 }))
  .map(([rules, nodes]) => `<style>${rules.join('')}</style>${nodes.join('')}`)
