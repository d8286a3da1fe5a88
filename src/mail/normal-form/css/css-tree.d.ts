/** Parts of css-tree that its types leave out. The whole of it loads in four times the time, most of it for a lexer. */

declare module 'css-tree/tokenizer' {
  export { tokenize, tokenTypes } from 'css-tree'
}

declare module 'css-tree/selector-parser' {
  export { parse as default } from 'css-tree'
}

declare module 'css-tree/utils' {
  export { ident } from 'css-tree'
}
