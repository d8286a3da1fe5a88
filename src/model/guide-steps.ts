/** What a new Spool needs before it is of use. */
export const guideSteps = ['mailbox', 'people', 'agent'] as const
export type GuideStep = (typeof guideSteps)[number]
