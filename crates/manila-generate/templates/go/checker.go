// Violations says how a value breaks a JSON Schema, as far as it uses the keywords below.
func Violations(schema, value, root any, path string) []string {
	place := path
	if place == "" {
		place = "it"
	}
	var found []string
	broken := func(what string) { found = append(found, place+": "+what) }
	if allowed, ok := schema.(bool); ok {
		if !allowed {
			broken("must not be there")
		}
		return found
	}
	rules, ok := schema.(map[string]any)
	if !ok {
		broken("has no schema")
		return found
	}
	holds := func(other any) bool { return len(Violations(other, value, root, path)) == 0 }
	also := func(other any) { found = append(found, Violations(other, value, root, path)...) }
	list := func(keyword string) []any {
		all, _ := rules[keyword].([]any)
		return all
	}
	schemas := func(keyword string) map[string]any {
		all, _ := rules[keyword].(map[string]any)
		return all
	}

	if name, ok := rules["$ref"].(string); ok {
		target := root
		for _, part := range strings.Split(name, "/")[1:] {
			members, _ := target.(map[string]any)
			target = members[part]
		}
		also(target)
	}
	if types, ok := rules["type"]; ok {
		names, ok := types.([]any)
		if !ok {
			names = []any{types}
		}
		if !anyHolds(names, func(name any) bool { return isType(value, name) }) {
			broken(fmt.Sprintf("is not of type %v", names))
		}
	}
	isValue := func(other any) bool { return isEqual(value, other) }
	if values, ok := rules["enum"]; ok && !anyHolds(list("enum"), isValue) {
		broken(fmt.Sprintf("is none of %v", values))
	}
	if other, ok := rules["const"]; ok && !isEqual(value, other) {
		broken(fmt.Sprintf("is not %v", other))
	}
	if _, ok := rules["anyOf"]; ok && !anyHolds(list("anyOf"), holds) {
		broken("fits none of the alternatives")
	}
	if _, ok := rules["oneOf"]; ok {
		count := 0
		for _, one := range list("oneOf") {
			if holds(one) {
				count++
			}
		}
		if count != 1 {
			broken("does not fit exactly one of the alternatives")
		}
	}
	for _, one := range list("allOf") {
		also(one)
	}
	if other, ok := rules["not"]; ok && holds(other) {
		broken("is what it must not be")
	}
	if condition, ok := rules["if"]; ok {
		branch := "else"
		if holds(condition) {
			branch = "then"
		}
		if other, ok := rules[branch]; ok {
			also(other)
		}
	}
	within := func(size float64, least, most string) {
		if limit, ok := float(rules[least]); ok && size < limit {
			broken(fmt.Sprintf("is less than %v", limit))
		}
		if limit, ok := float(rules[most]); ok && size > limit {
			broken(fmt.Sprintf("is more than %v", limit))
		}
	}
	if number, ok := float(value); ok {
		within(number, "minimum", "maximum")
	}
	switch value := value.(type) {
	case string:
		within(float64(utf8.RuneCountInString(value)), "minLength", "maxLength")
	case []any:
		within(float64(len(value)), "minItems", "maxItems")
		if items, ok := rules["items"]; ok {
			for number, item := range value {
				below := fmt.Sprintf("%s[%d]", path, number)
				found = append(found, Violations(items, item, root, below)...)
			}
		}
	case map[string]any:
		for _, name := range list("required") {
			if _, ok := value[name.(string)]; !ok {
				broken(fmt.Sprintf("has no %v", name))
			}
		}
		for name, item := range value {
			inner, ok := schemas("properties")[name]
			if !ok {
				inner, ok = rules["additionalProperties"]
			}
			if ok {
				below := strings.TrimPrefix(path+"."+name, ".")
				found = append(found, Violations(inner, item, root, below)...)
			}
		}
		for name, inner := range schemas("dependentSchemas") {
			if _, ok := value[name]; ok {
				also(inner)
			}
		}
	}
	sort.Strings(found)
	return found
}

func anyHolds(all []any, holds func(any) bool) bool {
	for _, one := range all {
		if holds(one) {
			return true
		}
	}
	return false
}

// isEqual compares numbers by their value, whole ones exactly.
func isEqual(one, other any) bool {
	number, isNumber := float(one)
	if !isNumber || isWhole(one) && isWhole(other) {
		return reflect.DeepEqual(one, other)
	}
	another, isNumber := float(other)
	return isNumber && number == another
}

// isWhole says whether a value is a number as it was read that has room in 64 bits.
func isWhole(value any) bool {
	number, _ := value.(json.Number)
	_, err := number.Int64()
	return err == nil
}

// float is a number as it was read, or as a program has it.
func float(value any) (float64, bool) {
	if number, ok := value.(json.Number); ok {
		float, err := number.Float64()
		return float, err == nil
	}
	float, ok := value.(float64)
	return float, ok
}

func isType(value, name any) bool {
	switch value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	number, ok := float(value)
	return ok && (name == "number" || (name == "integer" && number == math.Trunc(number)))
}

func parse(text string) any {
	var value any
	if err := decode([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

// plain is a value as its JSON says it.
func plain(value any) (any, error) {
	text, err := json.Marshal(value)
	var read any
	if err == nil {
		err = decode(text, &read)
	}
	return read, err
}

// decode reads one document. Numbers stay as they are spelled, because not every integer is a float64.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("something follows the document at byte %d", decoder.InputOffset())
	}
	return nil
}
