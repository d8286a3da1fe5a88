/** The lifetimes offered on the page for a new token. */
export const lifetimes = ['7d', '30d', '90d', '365d', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]
