/** What a new installation needs before it is useful. */
export const guideSteps = ['mailbox', 'people', 'agent'] as const
export type GuideStep = (typeof guideSteps)[number]
