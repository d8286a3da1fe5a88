/**
 * Which rules the stored texts of a message were made by. A change of the rules that old mail is to follow raises it:
 * messages with a lower number are made anew from their sources. 0: before there was a normal form.
 */
export const currentForm = 2
