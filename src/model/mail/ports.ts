/** No runtime imports, because the page bundles it. */
export const usualPorts = {
  imap: { tls: 993, starttls: 143, none: 143 },
  smtp: { tls: 465, starttls: 587, none: 25 },
} as const
