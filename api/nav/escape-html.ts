const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is inert wherever HTML may stand, attributes in quotes included. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => entities[mark]!);
