/** How long a token made on the page is good for. */
export const lifetimes = ['7d', '30d', '90d', '365d', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]
