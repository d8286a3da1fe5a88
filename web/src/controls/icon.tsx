/** Strokes in a 24 × 24 box. */
const paths = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  back: 'M15 5l-7 7 7 7',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
  compact: 'M4 5h16M4 9.7h16M4 14.3h16M4 19h16',
  comfortable: 'M4 5h16v5H4zM4 14h16v5H4z',
  more: 'M4 12h2M11 12h2M18 12h2',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  pen: 'M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4',
  clip: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.5 17a1.7 1.7 0 0 1-2.4-2.4L15 7',
  cross: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7',
  spark: 'M12 3l2 6.5L20.5 12 14 14.5 12 21l-2-6.5L3.5 12 10 9.5z',
  help: 'M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1 .9-1 1.7M12 17h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  notes: 'M5 5h14v11H10l-4 3.5V16H5z',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  reply: 'M9 7l-5 5 5 5M4 12h10a6 6 0 0 1 6 6',
  forward: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6',
  gear: 'M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM12 2.8v3M12 18.2v3M2.8 12h3M18.2 12h3M5.5 5.5l2.1 2.1M16.4 16.4l2.1 2.1M5.5 18.5l2.1-2.1M16.4 7.6l2.1-2.1',
  signOut: 'M14 4H5v16h9M10 12h10M16.5 8.5L20 12l-3.5 3.5',
  send: 'M4 12l16-7-5 15-3.5-5.5zM11.5 14.5L20 5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
} as const

export function Icon({ name, size = 16 }: { name: keyof typeof paths; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

export function Brand() {
  return (
    <svg class="brand-mark" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect x="4" y="3" width="16" height="3.4" rx="1.4" fill="currentColor" />
      <rect x="4" y="17.6" width="16" height="3.4" rx="1.4" fill="currentColor" />
      <g stroke="var(--thread)" stroke-linecap="round">
        <path d="M7.5 8.2h9M7.5 11.2h9M7.5 14.2h9" stroke-width="2" />
        <path d="M16.5 14.2c3 0 3.4 3 5 5.4" stroke-width="1.6" />
      </g>
    </svg>
  )
}
