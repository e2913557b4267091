type Values = Record<string, string | number>;

/** The texts of the language that the browser asks for. */
class Translations {
  constructor(private readonly texts: Record<string, string>) {}

  t(key: string, values: Values = {}): string {
    const text = this.texts[key] ?? key;
    return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name) => String(values[name] ?? ''));
  }
}

export default new Translations({});
