/** Only legal text: other repeated text, such as a request, is what somebody wrote. */
export const legal =
  /confiden[tc]ial|confidentiel|vertraulich|vertrouwelijk|riservat|poufn|důvěrn|fortrolig|konfidentiell|luottamuksel|конфиденциал|конфіденцій|gizli|機密|机密|기밀|disclaimer|privileged|intended (?:solely|only|recipient)|handelsregister|amtsgericht|registered (?:office|in )|company (?:no|number|reg)|siège social|before printing/i

/** Companies write their legal text; who says "me" asks for something. */
export const personal =
  /(?<!\p{L})(?:me|my|mine|ich|mich|mir|mein\p{L}{0,2}|moi|mon|mes|yo|mí|mij|mijn|mig|meg)(?!\p{L})/iu
