import { computed, effect, signal } from '@preact/signals'

export type Density = 'comfortable' | 'compact'

const key = 'spool:density'
const heights: Record<Density, number> = { comfortable: 84, compact: 48 }

/** Stored on this device. */
export const density = signal<Density>(localStorage.getItem(key) === 'compact' ? 'compact' : 'comfortable')
/** Every row is equally high, so that any position in a long list is known. */
export const rowHeight = computed(() => heights[density.value])

effect(() => {
  const { dataset, style } = document.documentElement
  dataset['density'] = density.value
  style.setProperty('--row', `${rowHeight.value}px`)
})

export function nextDensity(): void {
  density.value = density.value === 'compact' ? 'comfortable' : 'compact'
  localStorage.setItem(key, density.value)
}
