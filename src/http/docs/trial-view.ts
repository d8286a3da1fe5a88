import type { Endpoint, Parameter } from './document.ts'
import { html, type Markup } from './html.ts'

/** A form that sends a request to this Spool. The script shows it and keeps the token in memory only. */
export function viewTrial({ anchor, path, summary, parameters }: Endpoint): Markup {
  return html`<details class="trial" hidden>
    <summary>Try it</summary>
    <form data-path="${path}" aria-label="Try: ${summary}" autocomplete="off">
      <label for="${anchor}-trial-token">Token <small>forgotten when you leave the page</small></label>
      <input id="${anchor}-trial-token" class="token" type="password" autocomplete="off" required />
      ${parameters.map((parameter) => viewInput(anchor, parameter))}
      <button>Send the request</button>
      <p class="outcome" role="status"></p>
      <pre tabindex="0" role="region" aria-label="Answer to: ${summary}" hidden></pre>
    </form>
  </details>`
}

function viewInput(anchor: string, { name, in: place, required }: Parameter): Markup {
  const id = `${anchor}-trial-${name}`
  return html`<label for="${id}">${name}</label
    ><input
      id="${id}"
      name="${name}"
      data-in="${place}"
      ${required ? html`required` : null}
      spellcheck="false"
    />`
}
