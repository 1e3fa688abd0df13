package schema

import "testing"

func TestMoment(t *testing.T) {
	for _, s := range []string{"2025-01-31T12:00:00Z", "2025-12-01T23:59:59.123Z", "2025-01-31T12:00:00.123456789Z"} {
		if err := Moment("at", s); err != nil {
			t.Error(err)
		}
	}
	for _, v := range []any{nil, 5.0, "", "2025", "2025-01-31", "2025-13-31T12:00:00Z", "2025-00-31T12:00:00Z", "2025-01-32T12:00:00Z",
		"2025-01-00T12:00:00Z", "2025-01-31T24:00:00Z",
		"2025-01-31T12:60:00Z", "2025-01-31T12:00:60Z", "2025-01-31T12:00:00", "2025-01-31T12:00:00.Z", "2025-01-31T12:00:00.5", "2025-01-31T12:00:00.xZ",
		"2025-01-31T12:00:00.\u0130Z", "2025-01-31 12:00:00Z", "x025-01-31T12:00:00Z", "2025-01-31T12:00:00.1234567890123Z"} {
		if Moment("at", v) == nil {
			t.Errorf("%v was taken for a time", v)
		}
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	s := Object(Fields{{"a", List(2, Object(Fields{{"b?", Number(0, 9, true)}}))}})
	good := map[string]any{"a": []any{map[string]any{"b": 3.0}, map[string]any{}}, "more": "is left alone"}
	if err := s("x", good); err != nil {
		t.Error(err)
	}
	for want, v := range map[string]any{
		"x: found a list of 0, expected an object":                         []any{},
		"x.a: found nothing, expected a list of at most 2":                 map[string]any{},
		"x.a: found a list of 3, expected a list of at most 2":             map[string]any{"a": []any{1.0, 2.0, 3.0}},
		"x.a[1]: found true, expected an object":                           map[string]any{"a": []any{map[string]any{}, true}},
		"x.a[0].b: found 10, expected a whole number from 0 to 9":          map[string]any{"a": []any{map[string]any{"b": 10.0}}},
		"x.a[0].b: found \"\\u202e\", expected a whole number from 0 to 9": map[string]any{"a": []any{map[string]any{"b": "\u202e"}}},
	} {
		if err := s("x", v); err == nil || err.Error() != want {
			t.Errorf("%v: %v, expected %s", v, err, want)
		}
	}
}
