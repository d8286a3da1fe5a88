const forwardPrefix =
  /^\s*(?:(?:\[(?!fwd?:)[^\]]{1,40}\]|ext(?:ern(?:al)?)?:)\s*){0,3}\[?(?:fwd?|wg|tr|rv|i|enc|vl|vb|pd|doorst|ilt|İLT|i̇lt|πρθ|转发|轉寄|転送|전달|пересл|chuyển tiếp|הועבר|إعادة توجيه)\s*(?:\[\d+\])?\s*[:：]/i

/** Whether the subject begins with "Fwd:" or its equivalent in another language. */
export function isForwardSubject(subject: string): boolean {
  return forwardPrefix.test(subject)
}
