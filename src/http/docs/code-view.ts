import { highlight, type Notation } from './highlight.ts'
import { html, type Markup } from './html.ts'
import { languages, type Snippets } from './snippets.ts'

/** Hidden until the script loads. */
const copyButton = html`<button type="button" class="copy" hidden>Copy</button>`

/** One request in three languages. The tabs are radio buttons, so they work without script. */
export function viewSnippets(snippets: Snippets, title: string, name: string): Markup {
  const tabs = languages.map((language, index) => {
    const checked = index === 0 ? html`checked` : null
    const id = `${name}-${language.toLowerCase()}`
    return html`<input type="radio" id="${id}" name="${name}" value="${language}" ${checked} /><label
        for="${id}"
        >${language}</label
      >`
  })
  return html`<div class="code tabbed">
    <div class="bar">
      <fieldset class="tabs">
        <legend>${title}: language</legend>
        ${tabs}
      </fieldset>
      ${copyButton}
    </div>
    ${languages.map((language) => viewPre(snippets[language], language, `${title} in ${language}`))}
  </div>`
}

export function viewCode(code: string, notation: Notation, title: string): Markup {
  return html`<div class="code">
    <div class="bar"><span class="title">${title}</span>${copyButton}</div>
    ${viewPre(code, notation, title)}
  </div>`
}

export function viewExample(value: unknown, title: string): Markup {
  return viewCode(JSON.stringify(value, null, 2), 'JSON', title)
}

/** Focusable, because it may need scrolling. */
function viewPre(code: string, notation: Notation, label: string): Markup {
  return html`<pre
    data-language="${notation}"
    tabindex="0"
    role="region"
    aria-label="${label}"
  ><code>${highlight(code, notation)}</code></pre>`
}
