import type { ComponentChildren } from 'preact'
import { Brand } from '../controls/icon.tsx'
import { texts } from '../page/texts.ts'

export function Gate({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="gate">
      <div class="gate-card">
        <div class="brand">
          <Brand /> {texts.name}
        </div>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
