import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const key = 'spool:theme'
const stored = localStorage.getItem(key)
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

effect(() => {
  if (theme.value === 'system') {
    localStorage.removeItem(key)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(key, theme.value)
    document.documentElement.dataset['theme'] = theme.value
  }
})

export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system'
}
