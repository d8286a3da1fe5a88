/**
 * Version of the rules that produced a message's stored texts. Raise it when a rule change must apply to old mail:
 * messages with a lower number are rebuilt from their sources. 0: from before the normal form existed.
 */
export const currentForm = 10
