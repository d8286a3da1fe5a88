// Optional: without this file the page reads the same and each set of tabs works on its own.
const key = 'spool-docs-language'
const tabs = [...document.querySelectorAll('.tabs input')]

function choose(language) {
  for (const tab of tabs) if (tab.value === language) tab.checked = true
}

function remembered() {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

for (const tab of tabs)
  tab.addEventListener('change', () => {
    // All examples switch at once; the scroll position stays the same.
    const before = tab.getBoundingClientRect().top
    choose(tab.value)
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
    try {
      localStorage.setItem(key, tab.value)
    } catch {
      // Storage may be blocked; the choice is then not remembered.
    }
  })
choose(remembered())

async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent)
  } catch {
    // The clipboard needs https; elsewhere select the text so that it can be copied.
    getSelection().selectAllChildren(pre)
    document.execCommand('copy')
    getSelection().removeAllRanges()
  }
}

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', async () => {
    const shown = [...button.closest('.code').querySelectorAll('pre')].find((pre) => pre.offsetParent)
    await copy(shown)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
}

const contents = document.querySelector('#contents')
const links = new Map(
  [...contents.querySelectorAll('a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
)
const entries = [...document.querySelectorAll('section.entry')]

/** The current entry is the last one that starts above the upper third of the window. */
function markCurrent() {
  const read = entries.findLast((entry) => entry.getBoundingClientRect().top < innerHeight / 3)
  for (const [id, link] of links) {
    if (id !== read?.id) link.removeAttribute('aria-current')
    else if (!link.hasAttribute('aria-current')) {
      link.setAttribute('aria-current', 'true')
      if (!contents.matches(':popover-open')) showLink(link)
    }
  }
}

function showLink(link) {
  const { top, bottom } = link.getBoundingClientRect()
  if (top < 0 || bottom > innerHeight) contents.scrollTop += top - innerHeight / 2
}

let waiting = false
addEventListener(
  'scroll',
  () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      markCurrent()
    })
  },
  { passive: true },
)
markCurrent()

contents.addEventListener('click', (event) => {
  if (event.target.closest('a') && contents.matches(':popover-open')) contents.hidePopover()
})

// Search: entries that hold all the words stay in the contents, those with a word in their title first to be opened.
const search = document.querySelector('.search')
const field = search.querySelector('input')
const items = entries
  .filter((entry) => links.has(entry.id))
  .map((entry) => {
    const link = links.get(entry.id)
    return { link, title: link.textContent.toLowerCase(), text: entry.textContent.toLowerCase() }
  })
let found = []

function find() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  found = items.filter(({ text }) => words.every((word) => text.includes(word)))
  for (const { link } of items) link.parentElement.hidden = true
  for (const { link } of found) link.parentElement.hidden = false
  for (const group of contents.querySelectorAll('.group'))
    group.hidden = !group.nextElementSibling.querySelector('li:not([hidden])')
  const best = found.find(({ title }) => words.every((word) => title.includes(word)))
  found = best ? [best, ...found] : found
  const count = new Set(found).size
  search.querySelector('p').textContent =
    words.length === 0 ? '' : count === 0 ? 'Nothing found' : `${count} found`
}

search.hidden = false
field.addEventListener('input', find)
search.addEventListener('submit', (event) => {
  event.preventDefault()
  if (field.value.trim() !== '') found[0]?.link.click()
})
addEventListener('keydown', (event) => {
  const isTyping = /^(input|textarea)$/i.test(event.target.tagName)
  if (event.key === 'Escape' && event.target === field) {
    field.value = ''
    find()
  }
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  if (!contents.checkVisibility()) contents.showPopover()
  field.select()
})

// Try it: the token stays in the fields of this page and is in no storage, cookie or address.
const tokens = [...document.querySelectorAll('.trial .token')]
for (const own of tokens)
  own.addEventListener('input', () => {
    for (const other of tokens) other.value = own.value
  })

/** More than anybody reads here. */
const mostShown = 100_000

async function readStart(response) {
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (text.length < mostShown) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return `${text.slice(0, mostShown)}…`
}

function layOut(text, type) {
  if (!type.startsWith('application/json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function urlOf(form) {
  let path = form.dataset.path
  const query = new URLSearchParams()
  for (const { name, value, dataset } of form.querySelectorAll('input[name]'))
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '') query.set(name, value)
  return `api/v1${path}${query.size > 0 ? `?${query}` : ''}`
}

async function attempt(form) {
  const outcome = form.querySelector('.outcome')
  const pre = form.querySelector('pre')
  outcome.textContent = 'Asking…'
  pre.hidden = true
  try {
    const headers = { Authorization: `Bearer ${form.querySelector('.token').value.trim()}` }
    const response = await fetch(urlOf(form), { headers, credentials: 'omit', cache: 'no-store' })
    const type = response.headers.get('content-type') ?? ''
    outcome.textContent = `${response.status} ${response.statusText}, ${type.split(';')[0]}`
    if (!/^(application\/(json|x-ndjson)|message\/|text\/)/.test(type)) return
    pre.textContent = layOut(await readStart(response), type)
    pre.hidden = false
  } catch {
    outcome.textContent = 'No answer: is Spool running?'
  }
}

for (const trial of document.querySelectorAll('.trial')) {
  trial.hidden = false
  trial.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(event.target)
  })
}
