/** A value of JSON. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** A JSON Schema, as far as it uses these keywords. */
export type Schema =
  | boolean
  | {
      readonly $ref?: string;
      readonly $defs?: { readonly [name: string]: Schema };
      readonly type?: string | readonly string[];
      readonly enum?: readonly Json[];
      readonly const?: Json;
      readonly anyOf?: readonly Schema[];
      readonly oneOf?: readonly Schema[];
      readonly allOf?: readonly Schema[];
      readonly not?: Schema;
      readonly if?: Schema;
      readonly then?: Schema;
      readonly else?: Schema;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly items?: Schema;
      readonly properties?: { readonly [name: string]: Schema };
      readonly required?: readonly string[];
      readonly additionalProperties?: Schema;
      readonly dependentSchemas?: { readonly [name: string]: Schema };
    };

/** How a value breaks a JSON Schema. */
export function violations(
  schema: Schema | undefined,
  value: unknown,
  root: Schema,
  path = "",
): string[] {
  const place = path === "" ? "it" : path;
  if (typeof schema === "boolean")
    return schema ? [] : [`${place}: must not be there`];
  if (schema === undefined) return [`${place}: has no schema`];
  const found: string[] = [];
  const broken = (what: string) => found.push(`${place}: ${what}`);
  const holds = (other: Schema) =>
    violations(other, value, root, path).length === 0;

  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace("#/$defs/", "");
    const target = typeof root === "object" ? root.$defs?.[name] : undefined;
    found.push(...violations(target, value, root, path));
  }
  if (schema.type !== undefined) {
    const types = [schema.type].flat();
    if (!types.some((name) => isType(value, name))) {
      broken(`is not of type ${types.join(" or ")}`);
    }
  }
  if (schema.enum !== undefined) {
    if (!schema.enum.some((one) => isEqual(value, one))) {
      broken(`is none of ${schema.enum.join(", ")}`);
    }
  }
  if (schema.const !== undefined && !isEqual(value, schema.const)) {
    broken(`is not ${JSON.stringify(schema.const)}`);
  }
  if (schema.anyOf !== undefined && !schema.anyOf.some(holds)) {
    broken("fits none of the alternatives");
  }
  if (schema.oneOf !== undefined && schema.oneOf.filter(holds).length !== 1) {
    broken("does not fit exactly one of the alternatives");
  }
  for (const one of schema.allOf ?? []) {
    found.push(...violations(one, value, root, path));
  }
  if (schema.not !== undefined && holds(schema.not)) {
    broken("is what it must not be");
  }
  if (schema.if !== undefined) {
    const branch = holds(schema.if) ? schema.then : schema.else;
    found.push(...violations(branch ?? true, value, root, path));
  }
  if (typeof value === "number") {
    if (value < (schema.minimum ?? value)) {
      broken(`is less than ${schema.minimum}`);
    }
    if (value > (schema.maximum ?? value)) {
      broken(`is more than ${schema.maximum}`);
    }
  }
  if (typeof value === "string") {
    const length = [...value].length;
    if (length < (schema.minLength ?? 0)) broken("is too short");
    if (length > (schema.maxLength ?? length)) broken("is too long");
  }
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    if (items.length < (schema.minItems ?? 0)) broken("has too few items");
    if (items.length > (schema.maxItems ?? items.length)) {
      broken("has too many items");
    }
    items.forEach((item, number) => {
      const inner = schema.items ?? true;
      found.push(...violations(inner, item, root, `${path}[${number}]`));
    });
  } else if (isObject(value)) {
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name)) broken(`has no ${name}`);
    }
    for (const [name, item] of Object.entries(value)) {
      const own = Object.hasOwn(schema.properties ?? {}, name);
      const inner = own
        ? schema.properties?.[name]
        : (schema.additionalProperties ?? true);
      const below = path === "" ? name : `${path}.${name}`;
      found.push(...violations(inner, item, root, below));
    }
    for (const [name, inner] of Object.entries(schema.dependentSchemas ?? {})) {
      if (Object.hasOwn(value, name)) {
        found.push(...violations(inner, value, root, path));
      }
    }
  }
  return found;
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEqual(one: unknown, other: Json): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    const others: readonly Json[] = other;
    return (
      one.length === others.length &&
      others.every((item, number) => isEqual(one[number], item))
    );
  }
  if (isObject(one) && isObject(other)) {
    const members = Object.entries(other as { [name: string]: Json });
    return (
      Object.keys(one).length === members.length &&
      members.every(
        ([name, item]) => Object.hasOwn(one, name) && isEqual(one[name], item),
      )
    );
  }
  return one === other;
}

function isType(value: unknown, name: string): boolean {
  switch (name) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === name;
  }
}
