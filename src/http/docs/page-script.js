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
