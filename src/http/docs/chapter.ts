import { html, type Markup, type Piece } from './html.ts'

/** A section of the page: text with an example beside it. */
export interface Chapter {
  anchor: string
  title: string
  text: Markup
  sample: Markup
}

export function viewChapter({ anchor, title, text, sample }: Chapter): Markup {
  return html`<section class="entry" id="${anchor}" aria-labelledby="${anchor}-title">
    <div class="prose">
      <h3 id="${anchor}-title"><a href="#${anchor}">${title}</a></h3>
      ${text}
    </div>
    <div class="sample">${sample}</div>
  </section>`
}

/** A table of two columns. */
export function viewTable(heads: [string, string], rows: [Piece, Piece][]): Markup {
  const head = heads.map((text) => html`<th scope="col">${text}</th>`)
  const body = rows.map(
    ([first, second]) =>
      html`<tr>
        <td>${first}</td>
        <td>${second}</td>
      </tr>`,
  )
  return html`<table>
    <thead>
      <tr>
        ${head}
      </tr>
    </thead>
    <tbody>
      ${body}
    </tbody>
  </table>`
}
