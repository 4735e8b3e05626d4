declare module 'osrm-text-instructions' {
  interface InstructionStep {
    readonly name: string;
    readonly ref?: string;
    readonly destinations?: string;
    readonly exits?: string;
    readonly rotary_name?: string;
    readonly mode?: string;
    readonly driving_side?: 'left' | 'right';
    readonly maneuver: {
      readonly type: string;
      readonly modifier?: string;
      readonly exit?: number;
      readonly bearing_after?: number;
    };
  }
  interface CompileOptions {
    readonly classes?: readonly string[];
    readonly formatToken?: (token: string, value: string) => string;
  }
  interface Compiler {
    compile(language: string, step: InstructionStep, options: CompileOptions): string;
    tokenize(language: string, sentence: string, tokens: Readonly<Record<string, string>>): string;
  }
  export default function compiler(version: 'v5'): Compiler;
}

declare module 'osrm-text-instructions/languages.js' {
  interface Language {
    readonly meta: { readonly capitalizeFirstLetter: boolean };
    readonly v5: {
      /** By modifier, and `default`. */
      readonly arrive: Readonly<Record<string, { readonly upcoming: string } | undefined>>;
      readonly phrase: Readonly<Record<'one in distance' | 'two linked' | 'two linked by distance', string>>;
    };
  }
  const languages: {
    readonly supportedCodes: readonly string[];
    readonly instructions: Readonly<Record<string, Language>>;
  };
  export default languages;
}
